import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import type { Rule } from '#contract/single-sign-on.ts'
import { FormSection } from '../../ui/FormSection.tsx'
import classes from './SingleSignOnPage.module.css'
import { type Errors, emptyRule } from './sso-form.ts'

const operators: { value: Rule['operator']; label: string }[] = [
  { value: 'equals', label: 'is, or has' },
  { value: 'contains', label: 'contains' },
  { value: 'ends_with', label: 'ends with' },
  { value: 'exists', label: 'exists' },
]

const outcomes: { value: Rule['outcome']; label: string }[] = [
  { value: 'user', label: 'admit as user' },
  { value: 'admin', label: 'admit as admin' },
  { value: 'refuse', label: 'refuse' },
]

interface RulesSectionProps {
  rules: readonly Rule[]
  errors: Errors
  onChange: (rules: Rule[]) => void
}

export function RulesSection({ rules, errors, onChange }: RulesSectionProps) {
  const replace = (place: number, change: Partial<Rule>) =>
    onChange(rules.map((rule, index) => (index === place ? { ...rule, ...change } : rule)))
  const moveUp = (place: number) => onChange(rules.toSpliced(place, 1).toSpliced(place - 1, 0, rules[place] as Rule))
  return (
    <FormSection
      title="Rules"
      about="At each sign-in, the first matching rule decides whether the user is admitted, and with which role and GroupID. Users without a matching rule are refused. Rules about the claim email match verified addresses only."
    >
      {rules.length === 0 && <Text>There are no rules, so nobody can sign in this way yet.</Text>}
      <ol className={classes.rules}>
        {rules.map((rule, index) => {
          const number = index + 1
          const field = (name: keyof Rule, label: string) => ({
            label,
            'aria-label': `${label} of rule ${number}`,
            value: rule[name],
            error: errors[`rules.${index}.${name}`],
            classNames: { input: classes.input },
            onChange: (event: { currentTarget: { value: string } }) =>
              replace(index, { [name]: event.currentTarget.value }),
          })
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place
            <li key={index} className={classes.rule}>
              <div className={classes.ruleHead}>
                <Text fw={600}>Rule {number}</Text>
                <div className={classes.buttons}>
                  <Button
                    variant="default"
                    size="compact-sm"
                    disabled={index === 0}
                    title={index === 0 ? 'This is the first rule already.' : undefined}
                    onClick={() => moveUp(index)}
                    aria-label={`Move rule ${number} up`}
                  >
                    Up
                  </Button>
                  <Button
                    variant="default"
                    size="compact-sm"
                    onClick={() => onChange(rules.toSpliced(index, 1))}
                    aria-label={`Remove rule ${number}`}
                  >
                    Remove
                  </Button>
                </div>
              </div>
              <div className={classes.ruleFields}>
                <TextInput {...field('claim', 'Claim')} />
                <NativeSelect {...field('operator', 'Condition')} data={operators} />
                <TextInput
                  {...field('value', 'Value')}
                  disabled={rule.operator === 'exists'}
                  title={rule.operator === 'exists' ? 'Any value of the claim matches.' : undefined}
                />
                <NativeSelect {...field('outcome', 'Then')} data={outcomes} />
                <TextInput
                  {...field('group', 'GroupID')}
                  disabled={rule.outcome === 'refuse'}
                  title={rule.outcome === 'refuse' ? 'Whoever is refused needs no group.' : undefined}
                />
              </div>
            </li>
          )
        })}
      </ol>
      <Button
        variant="default"
        className={classes.start}
        h="var(--touch)"
        onClick={() => onChange([...rules, { ...emptyRule }])}
      >
        Add Rule
      </Button>
    </FormSection>
  )
}
