import { Checkbox } from '@mantine/core'

interface CodeCheckboxProps {
  name: string
  /** Shown below the label, as the API spells it. */
  code: string
  label: string
}

/** One choice of a group whose values are also used in the API. */
export function CodeCheckbox({ name, code, label }: CodeCheckboxProps) {
  const styles = { description: { fontFamily: 'var(--mantine-font-family-monospace)' } }
  return <Checkbox name={name} value={code} label={label} description={code} styles={styles} />
}
