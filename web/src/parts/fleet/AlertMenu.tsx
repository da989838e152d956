import { type FocusEvent, type MouseEvent, useId, useRef, useState } from 'react'
import { getAlertTitle } from '#contract/alerts.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import menu from '../../ui/menu.module.css'
import classes from './FleetChips.module.css'
import type { AlertCounts } from './fleet-filter.ts'

interface AlertMenuProps {
  counts: AlertCounts | undefined
  chosen: string | undefined
  onChoose: (alert: string | undefined) => void
}

/**
 * Every kind of alert with its count. Opens on hover, focus and tap. Selecting the active one again clears it.
 */
export function AlertMenu({ counts, chosen, onChoose }: AlertMenuProps) {
  const [opened, setOpened] = useState(false)
  const chip = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const alerts = counts?.byName ?? []
  // The active alert stays in the list when its last terminal has recovered, so that it can be cleared.
  const listed =
    chosen !== undefined && !alerts.some(([name]) => name === chosen) ? [...alerts, [chosen, 0] as const] : alerts
  const closeWhenLeft = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpened(false)
  }
  const choose = (name: string, { nativeEvent }: MouseEvent) => {
    onChoose(chosen === name ? undefined : name)
    // On a phone the panel covers the result, and there is no pointer to move away.
    if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch') setOpened(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keyboard and touch
    <div
      className={classes.alerts}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setOpened(true)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setOpened(false)}
      onBlur={closeWhenLeft}
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return
        // Focus opens the panel, so it comes first.
        chip.current?.focus()
        setOpened(false)
      }}
    >
      <button
        ref={chip}
        type="button"
        className={classes.chip}
        aria-expanded={opened}
        aria-controls={panelId}
        data-chosen={chosen !== undefined || undefined}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setOpened(true)}
        onPointerUp={({ pointerType }) => pointerType !== 'mouse' && setOpened(!opened)}
        onClick={({ detail }) => detail === 0 && setOpened(!opened)}
      >
        <AlertIcon />
        <span className={classes.word}>{chosen === undefined ? 'Alerts' : `Alerts: ${getAlertTitle(chosen)}`}</span>
        <span className={classes.count} title="Terminals with alerts">
          {counts ? formatCount(counts.terminals) : '-'}
        </span>
      </button>
      <div id={panelId} className={classes.panel} hidden={!opened}>
        {listed.length === 0 && <p className={classes.none}>{counts ? 'No alerts.' : 'Loading...'}</p>}
        {listed.length > 0 && (
          <ul className={classes.kinds} aria-label="Filter by alert">
            {listed.map(([name, terminals]) => (
              <li key={name}>
                <button
                  type="button"
                  className={`${menu.item} ${classes.kind}`}
                  aria-pressed={chosen === name}
                  onClick={(event) => choose(name, event)}
                >
                  <span title={name}>{getAlertTitle(name)}</span>
                  <span className={classes.count}>{formatCount(terminals)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
