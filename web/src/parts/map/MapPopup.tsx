import { CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCounted } from '#contract/format/numbers.ts'
import { useFixedHeightRows } from '../../ui/use-fixed-height-rows.ts'
import { StatusMark } from '../StatusMark.tsx'
import type { MapPoint } from './markers.ts'
import classes from './TerminalMap.module.css'

interface MapPopupProps {
  points: readonly MapPoint[]
  anchor: { x: number; y: number }
  onClose: () => void
}

const roomAbovePx = 240
const rowHeightPx = 48

/** The terminals at a clicked location: one with its address, or a list if there are several. */
export function MapPopup({ points, anchor, onClose }: MapPopupProps) {
  const { scroller, indexes } = useFixedHeightRows<HTMLUListElement>(points.length, rowHeightPx)
  return (
    <section
      className={classes.popup}
      aria-label={points.length === 1 ? points[0]?.name : `${formatCounted(points.length, 'terminal')} here`}
      data-below={anchor.y < roomAbovePx || undefined}
      style={{ left: `clamp(148px, ${anchor.x}px, 100% - 148px)`, top: anchor.y }}
    >
      <CloseButton className={classes.popupClose} size="sm" aria-label="Close" onClick={onClose} />
      {points.length > 1 && <strong>{formatCounted(points.length, 'terminal')} here</strong>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul ref={scroller} className={classes.popupList} tabIndex={0} aria-label="Terminals at this place">
        <li aria-hidden="true" style={{ height: points.length * rowHeightPx }} />
        {indexes.map((index) => {
          const { id, name, nickname, status, address, place } = points[index] as MapPoint
          return (
            <li
              key={id}
              className={classes.popupRow}
              style={{ height: rowHeightPx, transform: `translateY(${index * rowHeightPx}px)` }}
              aria-setsize={points.length}
              aria-posinset={index + 1}
            >
              <span className={classes.popupName}>
                {nickname === undefined ? (
                  <span title={name}>{name}</span>
                ) : (
                  <Link
                    to="/terminal/$kitnumber"
                    params={{ kitnumber: nickname }}
                    target="_blank"
                    preload={false}
                    title={name}
                  >
                    {name}
                  </Link>
                )}{' '}
                <StatusMark status={status} />
              </span>
              <span className={classes.popupPlace} title={address}>
                {place ? address || 'Address unknown' : 'Location unknown'}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
