import { Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type StoredSso, singleSignOn } from '#contract/single-sign-on.ts'
import { call, getErrorMessage } from '../../api.ts'
import { Copyable } from '../../ui/Copyable.tsx'
import { FormSection } from '../../ui/FormSection.tsx'
import { splitFieldError } from '../../ui/form-errors.ts'
import classes from './SingleSignOnPage.module.css'
import type { Errors, SsoForm } from './sso-form.ts'

interface ProviderSectionProps {
  stored: StoredSso
  form: SsoForm
  errors: Errors
  onChange: (change: Partial<SsoForm>) => void
  onErrors: (errors: Errors) => void
}

export function ProviderSection({ stored, form, errors, onChange, onErrors }: ProviderSectionProps) {
  const field = (name: 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'buttonLabel') => ({
    name,
    value: form[name],
    error: errors[name],
    autoComplete: 'off',
    classNames: { input: classes.input },
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
      <ConnectionTest issuer={form.issuer} scopes={form.scopes} onErrors={onErrors} />
    </FormSection>
  )
}

function Addresses({ label, values }: { label: string; values: string[] }) {
  return (
    <>
      <dt>{label}</dt>
      {values.map((value) => (
        <dd key={value}>
          <Copyable text={value} of={value} />
        </dd>
      ))}
    </>
  )
}

type ConnectionTestProps = Pick<SsoForm, 'issuer' | 'scopes'> & Pick<ProviderSectionProps, 'onErrors'>

function ConnectionTest({ issuer, scopes, onErrors }: ConnectionTestProps) {
  const [problem, setProblem] = useState<string>()
  const test = useMutation({
    mutationFn: () => call(singleSignOn.test, { issuer, scopes }),
    onMutate: () => setProblem(undefined),
    onError: (error) => {
      const refused = splitFieldError(getErrorMessage(error), ['issuer', 'scopes'])
      if (Object.keys(refused).length > 0) onErrors(refused)
      else setProblem(getErrorMessage(error))
    },
  })
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
      {problem && <Text role="alert">{problem}</Text>}
    </>
  )
}
