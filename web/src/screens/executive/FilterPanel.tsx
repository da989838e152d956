import { Button, Checkbox, Group, Popover, Tabs, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import { type ExecutiveSearch, orNothing } from './executive-search.ts'
import classes from './FilterPanel.module.css'
import { distinct, type NamedPlan } from './plans.ts'

interface FilterPanelProps {
  plans: readonly NamedPlan[]
  orgs: readonly string[]
  customers: readonly string[]
  onApply: (change: Partial<ExecutiveSearch>) => void
}

/** Organizations and customers to choose from; they take effect on Apply. */
export function FilterPanel({ plans, orgs, customers, onApply }: FilterPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const toggle = () => {
    if (!isOpen) setOpenings(openings + 1)
    setOpen(!isOpen)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" withinPortal trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" aria-expanded={isOpen} onClick={toggle}>
          + Add filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter plans">
        {/* A new key resets it: reopened while it fades out, it would still have choices that were not applied. */}
        <Choices
          key={openings}
          plans={plans}
          orgs={orgs}
          customers={customers}
          onApply={(change) => {
            onApply(change)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function Choices({ plans, orgs, customers, onApply, onClose }: FilterPanelProps & { onClose: () => void }) {
  const [chosenOrgs, setOrgs] = useState<readonly string[]>(orgs)
  const [chosenCustomers, setCustomers] = useState<readonly string[]>(customers)
  return (
    <div className={classes.panel}>
      <Tabs defaultValue="organization" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="organization">Organization</Tabs.Tab>
          <Tabs.Tab value="customer">Customer</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="organization">
          <ChoiceList
            label="Search organizations"
            names={distinct(plans, ({ organization }) => organization)}
            chosen={chosenOrgs}
            onChoose={setOrgs}
          />
        </Tabs.Panel>
        <Tabs.Panel value="customer">
          <ChoiceList
            label="Search customers"
            names={distinct(plans, ({ customer }) => customer)}
            chosen={chosenCustomers}
            onChoose={setCustomers}
          />
        </Tabs.Panel>
      </Tabs>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={() => onApply({ org: orNothing(chosenOrgs), customer: orNothing(chosenCustomers) })}>
          Apply
        </Button>
      </Group>
    </div>
  )
}

interface ChoiceListProps {
  label: string
  names: readonly string[]
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
}

// Thousands of options are too slow to render, and too many to read.
const maxShown = 200

function ChoiceList({ label, names, chosen, onChoose }: ChoiceListProps) {
  const [text, setText] = useState('')
  const found = names.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()))
  const shown = found.slice(0, maxShown)
  return (
    <div className={classes.choices}>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={`${label}…`}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Checkbox.Group value={[...chosen]} onChange={onChoose} aria-label={label.replace('Search', 'Choose')}>
        <div className={classes.list}>
          {shown.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
          {found.length === 0 && <Text c="var(--quiet)">Nothing found.</Text>}
          {found.length > shown.length && (
            <Text size="xs" c="var(--quiet)">
              {formatCount(found.length - shown.length)} more: search to find them.
            </Text>
          )}
        </div>
      </Checkbox.Group>
    </div>
  )
}
