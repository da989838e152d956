import { Button, NativeSelect, TextInput } from '@mantine/core'
import {
  type CalendarPeriod,
  calendarPeriods,
  type DaySpan,
  findPeriod,
  shiftPeriod,
} from '#contract/calendar-period.ts'
import classes from './AvailabilityPage.module.css'

const labels: Record<CalendarPeriod, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
  custom: 'Other days',
}

interface PeriodPickerProps {
  period: CalendarPeriod
  days: DaySpan
  /** Today in the tenant's time zone, the last day that can be shown. */
  today: string
  onChange: (change: { period?: CalendarPeriod; day: string; lastDay: string | undefined }) => void
}

/** Selects a calendar period, with buttons for the previous and the next. */
export function PeriodPicker({ period, days, today, onChange }: PeriodPickerProps) {
  const show = ({ firstDay, lastDay }: DaySpan, as = period) =>
    onChange({ period: as, day: firstDay, lastDay: as === 'custom' ? lastDay : undefined })
  const next = shiftPeriod(period, days, 1)
  const readDay = (apply: (day: string) => DaySpan) => ({
    type: 'date',
    max: today,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      if (/^20\d\d-\d\d-\d\d$/.test(value)) show(apply(value))
    },
  })
  return (
    <div className={classes.fields}>
      <NativeSelect
        label="Period"
        value={period}
        data={calendarPeriods.map((value) => ({ value, label: labels[value] }))}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as CalendarPeriod
          show(chosen === 'custom' ? days : findPeriod(chosen, days.lastDay > today ? today : days.lastDay), chosen)
        }}
      />
      <TextInput
        label={period === 'custom' ? 'From' : 'Date'}
        value={days.firstDay}
        {...readDay((day) =>
          period === 'custom'
            ? { firstDay: day, lastDay: day > days.lastDay ? day : days.lastDay }
            : findPeriod(period, day),
        )}
      />
      {period === 'custom' && (
        <TextInput
          label="Until"
          value={days.lastDay}
          {...readDay((day) => ({ firstDay: day < days.firstDay ? day : days.firstDay, lastDay: day }))}
        />
      )}
      <Button variant="default" onClick={() => show(shiftPeriod(period, days, -1))}>
        Previous
      </Button>
      <Button
        variant="default"
        disabled={next.firstDay > today}
        title={next.firstDay > today ? 'It is in the future.' : undefined}
        onClick={() => show(next)}
      >
        Next
      </Button>
    </div>
  )
}
