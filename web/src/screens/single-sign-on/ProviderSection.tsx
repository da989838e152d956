import { Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type StoredSso, singleSignOn } from '#contract/single-sign-on.ts'
import { call, getErrorMessage } from '../../api.ts'
import { FormSection } from '../../ui/FormSection.tsx'
import classes from './SingleSignOnPage.module.css'
import type { Errors, SsoForm } from './sso-form.ts'

interface ProviderSectionProps {
  stored: StoredSso
  form: SsoForm
  errors: Errors
  onChange: (change: Partial<SsoForm>) => void
}

export function ProviderSection({ stored, form, errors, onChange }: ProviderSectionProps) {
  const field = (name: 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'buttonLabel') => ({
    ...{ name, value: form[name], error: errors[name], autoComplete: 'off', classNames: { input: classes.input } },
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [name]: currentTarget.value }),
  })
  return (
    <FormSection title="Provider" about="Any OpenID Connect provider, such as Entra ID, Google, Okta or Keycloak.">
      <div className={classes.fields}>
        <TextInput {...field('issuer')} label="Issuer" placeholder="https://login.example.com" />
        <TextInput {...field('clientId')} label="Client ID" />
        <PasswordInput
          {...field('clientSecret')}
          autoComplete="new-password"
          label="Client secret"
          placeholder={stored.settings ? 'unchanged' : ''}
        />
        <TextInput {...field('scopes')} label="Scopes" />
        <TextInput {...field('buttonLabel')} label="Text of the button" />
      </div>
      <Text>Register these addresses there:</Text>
      <dl className={classes.addresses}>
        <Addresses label="For sign-ins (redirect)" values={stored.redirectUris} />
        <Addresses label="After a log out here" values={stored.logoutUris} />
        <Addresses label="To announce a log out there (back-channel)" values={stored.backchannelLogoutUris} />
      </dl>
      <ConnectionTest issuer={form.issuer} scopes={form.scopes} />
    </FormSection>
  )
}

function Addresses({ label, values }: { label: string; values: string[] }) {
  return (
    <>
      <dt>{label}</dt>
      {values.map((value) => (
        <dd key={value}>{value}</dd>
      ))}
    </>
  )
}

function ConnectionTest({ issuer, scopes }: { issuer: string; scopes: string }) {
  const test = useMutation({ mutationFn: () => call(singleSignOn.test, { issuer, scopes }) })
  return (
    <>
      <Button
        variant="default"
        className={classes.start}
        h="var(--touch)"
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Test Connection
      </Button>
      <div role="status">
        {test.data && (
          <ul className={classes.facts}>
            {test.data.facts.map(({ isFine, text }) => (
              <li key={text}>
                {isFine ? 'OK: ' : 'Note: '}
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
      {test.isError && <Text role="alert">{getErrorMessage(test.error)}</Text>}
    </>
  )
}
