import { Badge, Button, CloseButton, Group, Text } from '@mantine/core'
import { formatCount } from '#contract/format/numbers.ts'
import { formatGb } from '#contract/format/units.ts'
import { maxTopUpsAtOnce } from '#contract/plans.ts'
import classes from './PoolEditor.module.css'
import { addTopUp, countNewTopUps, dropTopUp, type PoolForm, sumTopUpsGb } from './pool-form.ts'

interface TopUpsProps {
  form: PoolForm
  onChange: (form: PoolForm) => void
}

/** Buckets for this cycle; new ones are bought when the form is saved. */
export function TopUps({ form, onChange }: TopUpsProps) {
  const isFull = countNewTopUps(form) >= maxTopUpsAtOnce
  return (
    <section aria-label="Top ups" className={classes.section}>
      <Group justify="space-between">
        <Text fw={600}>Top Ups</Text>
        <Button
          variant="default"
          size="compact-md"
          disabled={isFull}
          title={isFull ? `At most ${formatCount(maxTopUpsAtOnce)} can be bought at once.` : undefined}
          onClick={() => onChange(addTopUp(form, new Date()))}
        >
          + Add Top Up
        </Button>
      </Group>
      {form.topUps.length > 0 && (
        <>
          <ul className={classes.list}>
            {form.topUps.map(({ totalAmountGB, date, state }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: buckets are identical except for their position
              <li key={place} className={classes.item}>
                <span className={classes.amount}>{formatGb(totalAmountGB)}</span>
                <span className={classes.quiet}>{date}</span>
                {state === 'new' && (
                  <>
                    <Badge>New</Badge>
                    <CloseButton
                      size="sm"
                      className={classes.end}
                      aria-label="Discard this top up"
                      onClick={() => onChange(dropTopUp(form))}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
          <Text size="sm">
            Total: <b className={classes.amount}>{formatGb(sumTopUpsGb(form))}</b>
          </Text>
        </>
      )}
    </section>
  )
}
