import { CloseButton } from '@mantine/core'
import { StatusMark } from '../StatusMark.tsx'
import type { MapPoint } from './markers.ts'
import classes from './TerminalMap.module.css'

interface MapPopupProps {
  points: readonly MapPoint[]
  anchor: { x: number; y: number }
  onClose: () => void
}

const shownAtMost = 20
const roomAbovePx = 220

/** The terminals at a clicked place: one with its address, or a list of all that share the place. */
export function MapPopup({ points, anchor, onClose }: MapPopupProps) {
  return (
    <section
      className={classes.popup}
      aria-label={points.length === 1 ? points[0]?.name : `${points.length} terminals here`}
      data-below={anchor.y < roomAbovePx || undefined}
      style={{ left: anchor.x, top: anchor.y }}
    >
      <CloseButton className={classes.popupClose} size="sm" aria-label="Close" onClick={onClose} />
      {points.length > 1 && <strong>{points.length} terminals here</strong>}
      <ul className={classes.popupList}>
        {points.slice(0, shownAtMost).map(({ id, name, status, address, place }) => (
          <li key={id}>
            <span className={classes.popupName}>
              {name} <StatusMark status={status} />
            </span>
            <span className={classes.popupPlace}>{place ? address || 'Address unknown' : 'Location unknown'}</span>
          </li>
        ))}
      </ul>
      {points.length > shownAtMost && <span>and {points.length - shownAtMost} more</span>}
    </section>
  )
}
