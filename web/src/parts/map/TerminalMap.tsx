import { ActionIcon } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ExpandIcon, MinusIcon, PlusIcon } from '../../ui/icons.tsx'
import { statusLabels } from '../status.ts'
import type { MapScheme } from './base-layer.ts'
import { type MapEvents, MapView } from './map-view.ts'
import type { MapPoint } from './markers.ts'
import type { Place } from './mercator.ts'
import classes from './TerminalMap.module.css'

interface TerminalMapProps extends Pick<MapEvents, 'onHover' | 'onPick'> {
  points: readonly MapPoint[]
  highlightedId: string | undefined
  center: Place
  zoom: number
  scheme: MapScheme
  tiles: { url: string; attribution: string } | undefined
}

/** A canvas map of terminals. Whatever it shows stands in the list beside it too, for those who cannot see it. */
export function TerminalMap(props: TerminalMapProps) {
  const { points, highlightedId, scheme, tiles } = props
  const target = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<MapView>()
  const [anchor, setAnchor] = useState<{ x: number; y: number }>()
  const tilesUrl = tiles?.url
  const highlighted = points.find(({ id }) => id === highlightedId)

  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const { scheme, center, zoom } = latest.current
    const created = new MapView(target.current as HTMLDivElement, scheme, center, zoom, {
      onHover: (id) => latest.current.onHover(id),
      onPick: (id) => latest.current.onPick(id),
      onAnchor: (next) => setAnchor((last) => (last?.x === next?.x && last?.y === next?.y ? last : next)),
    })
    setView(created)
    return () => created.destroy()
  }, [])

  useEffect(() => view?.setPoints(points), [view, points])
  useEffect(() => view?.setHighlight(highlightedId), [view, highlightedId])
  useEffect(() => view?.setScheme(scheme), [view, scheme])
  useEffect(() => {
    if (!view || !tilesUrl) return undefined
    let remove: (() => void) | undefined
    let gone = false
    // Most people look at the outlines only, so the code for tiles comes when it is needed.
    import('./tile-layer.ts').then(({ layTiles }) => {
      if (!gone) remove = layTiles(view.olMap, tilesUrl)
    })
    return () => {
      gone = true
      remove?.()
    }
  }, [view, tilesUrl])

  return (
    <section className={classes.frame} aria-label="Map of terminals" onPointerLeave={() => props.onHover(undefined)}>
      <div
        ref={target}
        className={classes.map}
        role="application"
        aria-label="Map"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map listens to arrow keys and to + and -
        tabIndex={0}
        data-markers={points.length}
      />
      {highlighted && anchor && (
        <div className={classes.tooltip} role="tooltip" style={{ translate: `${anchor.x}px ${anchor.y}px` }}>
          <span className={classes.tooltipText}>
            {highlighted.name}
            <small>{highlighted.place ? statusLabels[highlighted.status] : 'Location unknown'}</small>
          </span>
        </div>
      )}
      <div className={classes.controls}>
        <ActionIcon variant="default" size={36} aria-label="Zoom in" onClick={() => view?.zoomBy(1)}>
          <PlusIcon />
        </ActionIcon>
        <ActionIcon variant="default" size={36} aria-label="Zoom out" onClick={() => view?.zoomBy(-1)}>
          <MinusIcon />
        </ActionIcon>
        <ActionIcon variant="default" size={36} aria-label="Show all terminals" onClick={() => view?.fit()}>
          <ExpandIcon />
        </ActionIcon>
      </div>
      <p className={classes.attribution}>{tiles ? tiles.attribution : 'Outlines: Natural Earth'}</p>
    </section>
  )
}
