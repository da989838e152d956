import { ActionIcon, Button } from '@mantine/core'
import { type CSSProperties, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { ExpandIcon, MinusIcon, PlusIcon } from '../../ui/icons.tsx'
import { shownStatuses, statusLabels } from '../status.ts'
import { MapPopup } from './MapPopup.tsx'
import type { MapDisplay } from './map-display.ts'
import { formatMapPlace, readMapPlace } from './map-place.ts'
import { type Anchors, type ClusterShares, type MapEvents, MapView } from './map-view.ts'
import { type MapPoint, packPoints, pickPoints } from './markers.ts'
import type { Place } from './mercator.ts'
import { chooseScale } from './scale.ts'
import classes from './TerminalMap.module.css'
import { useMapDark } from './use-map-dark.ts'
import { useTiles } from './use-tiles.ts'

export interface TerminalMapProps extends Pick<MapEvents, 'onHover'> {
  onPick: (id: string) => void
  points: readonly MapPoint[]
  /** Indexes of the visible points, ascending; by default all are. */
  shown?: Uint32Array | undefined
  highlightedId: string | undefined
  /** The view is refitted when this changes: the user's search and filters. */
  fitKey?: string | undefined
  /** A fixed view instead of all points; see `formatMapPlace`. */
  place?: string | undefined
  /** Called after each move. */
  onMove?: ((place: string) => void) | undefined
  /** Past positions of the terminal, oldest first. */
  track?: readonly Place[] | undefined
  /** The outline of the area that is being selected. */
  area?: readonly Place[] | undefined
  display?: MapDisplay | undefined
  /** Lets the user pick a location: by a click, or by moving the map. */
  onPlace?: ((place: Place) => void) | undefined
  center: Place
  zoom: number
  /** URLs of raster tiles; without them, or when they fail to load, the outlines are shown. */
  tiles: { light?: string | undefined; dark?: string | undefined; attribution?: string | undefined } | undefined
}

const noAnchors: Anchors = { highlighted: undefined, popup: undefined, cluster: undefined }
const noTrack: readonly Place[] = []
/** Debounced, so that the map does not move while the user types. */
const fitAfterMs = 300

const sameAnchor = (a: Anchors['popup'], b: Anchors['popup']) => a?.x === b?.x && a?.y === b?.y

/** A canvas map of terminals. The list beside it has the same content for users who cannot see the map. */
export function TerminalMap(props: TerminalMapProps) {
  const { shown, highlightedId, tiles, fitKey, place, track = noTrack, area, onPlace, display } = props
  const { isDark, toggle } = useMapDark()
  const scheme = display?.scheme ?? (isDark ? 'dark' : 'light')
  const isDisplay = display !== undefined
  const target = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<MapView>()
  const [anchors, setAnchors] = useState(noAnchors)
  const [pressedIds, setPressedIds] = useState<readonly string[]>([])
  const [metersPerPx, setMetersPerPx] = useState<number>()
  const [hoveredShares, setHoveredShares] = useState<ClusterShares>()
  const ground = useTiles(view, tiles?.[scheme])
  // Each letter of a search selects from the same fleet, so the positions are computed once.
  const packed = useMemo(() => packPoints(props.points), [props.points])
  const markers = useMemo(() => (shown ? pickPoints(packed, shown) : packed), [packed, shown])
  const { points } = markers
  const highlighted = highlightedId === undefined ? undefined : points.find(({ id }) => id === highlightedId)

  const pressed = useMemo(() => {
    const ids = new Set(pressedIds)
    return ids.size === 0 ? [] : points.filter(({ id }) => ids.has(id))
  }, [points, pressedIds])

  const latest = useRef({ ...props, scheme } as const)
  useEffect(() => {
    latest.current = { ...props, scheme } as const
  })

  useEffect(() => {
    const { scheme, center, zoom, place: wanted } = latest.current
    const given = wanted === undefined ? undefined : readMapPlace(wanted)
    const created = new MapView(target.current as HTMLDivElement, scheme, given ?? { center, zoom, isFirst: true }, {
      onHover: (id) => latest.current.onHover(id),
      onHoverCluster: setHoveredShares,
      onScale: setMetersPerPx,
      onMove: (shown) => latest.current.onMove?.(formatMapPlace(shown)),
      onPlace: (place) => latest.current.onPlace?.(place),
      onPick: (ids) => {
        setPressedIds(ids)
        if (ids[0] !== undefined) latest.current.onPick(ids[0])
      },
      onAnchors: (next) =>
        setAnchors((last) =>
          sameAnchor(last.highlighted, next.highlighted) &&
          sameAnchor(last.popup, next.popup) &&
          sameAnchor(last.cluster, next.cluster)
            ? last
            : next,
        ),
    })
    setView(created)
    return () => created.destroy()
  }, [])

  // Before the list is painted, so that both show the result of a search at the same time.
  useLayoutEffect(() => view?.setMarkers(markers), [view, markers])
  useEffect(() => view?.setTrack(track), [view, track])
  useEffect(() => {
    if (area) view?.setArea(area)
  }, [view, area])
  useEffect(() => view?.setHighlight(highlightedId), [view, highlightedId])
  useEffect(() => view?.setScheme(scheme), [view, scheme])
  useEffect(() => view?.setPopup(pressedIds[0]), [view, pressedIds])
  useEffect(() => {
    const wanted = place === undefined ? undefined : readMapPlace(place)
    if (view && wanted && formatMapPlace(view.shown) !== place) view.show(wanted)
  }, [view, place])
  const focus = display?.focus
  useEffect(() => {
    if (isDisplay) view?.turnTo(focus)
  }, [view, isDisplay, focus])
  const fittedKey = useRef(fitKey)
  useEffect(() => {
    // A fixed view is not changed by a search.
    if (place !== undefined) fittedKey.current = fitKey
    if (!view || fitKey === fittedKey.current) return undefined
    const timer = setTimeout(() => {
      fittedKey.current = fitKey
      view.fit({ isSmooth: true })
    }, fitAfterMs)
    return () => clearTimeout(timer)
  }, [view, fitKey, place])
  return (
    <section
      className={classes.frame}
      aria-label="Map of terminals"
      onPointerLeave={() => view?.leave()}
      onKeyDown={({ key }) => key === 'Escape' && setPressedIds([])}
    >
      <div
        ref={target}
        className={classes.map}
        role="application"
        aria-label="Map"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map listens to arrow keys and to + and -
        tabIndex={0}
        data-scheme={scheme}
        data-ground={ground}
      />
      {pressed.length > 0 && anchors.popup && (
        <MapPopup points={pressed} anchor={anchors.popup} onClose={() => setPressedIds([])} />
      )}
      {highlighted && anchors.highlighted && !pressedIds.includes(highlighted.id) && (
        <div className={classes.tooltip} role="tooltip" style={placeAt(anchors.highlighted)}>
          <span className={classes.tooltipText}>
            {highlighted.name}
            <small>{highlighted.place ? statusLabels[highlighted.status] : 'Location unknown'}</small>
          </span>
        </div>
      )}
      {hoveredShares && anchors.cluster && (
        <div className={classes.tooltip} style={placeAt(anchors.cluster)}>
          <span className={classes.tooltipText} role="tooltip">
            {formatCounted(
              hoveredShares.reduce((sum, count) => sum + count, 0),
              'terminal',
            )}
            <small>{formatShares(hoveredShares)}</small>
          </span>
        </div>
      )}
      {onPlace && view && (
        <Button className={classes.dark} variant="default" size="compact-md" onClick={() => onPlace(view.center)}>
          Use the middle of the map
        </Button>
      )}
      {!onPlace && !isDisplay && (
        <Button className={classes.dark} variant="default" size="compact-md" onClick={toggle}>
          {isDark ? 'Switch to Light Mode' : 'Switch to Dark Mode'}
        </Button>
      )}
      <div className={classes.controls} hidden={isDisplay}>
        <ActionIcon variant="default" size="var(--touch)" aria-label="Zoom in" onClick={() => view?.zoomBy(1)}>
          <PlusIcon />
        </ActionIcon>
        <ActionIcon variant="default" size="var(--touch)" aria-label="Zoom out" onClick={() => view?.zoomBy(-1)}>
          <MinusIcon />
        </ActionIcon>
        <ActionIcon variant="default" size="var(--touch)" aria-label="Show all terminals" onClick={() => view?.fit()}>
          <ExpandIcon />
        </ActionIcon>
      </div>
      {metersPerPx !== undefined && <Scale metersPerPx={metersPerPx} />}
      <Attribution
        text={
          ground === 'tiles'
            ? (tiles?.attribution ?? '© OpenStreetMap contributors')
            : 'Outlines: Natural Earth. Names: GeoNames'
        }
      />
    </section>
  )
}

const placeAt = ({ x, y }: { x: number; y: number }) =>
  ({ translate: `${x}px ${y}px`, '--x': `${x}px` }) as CSSProperties

/** '10 Online, 2 Offline'. */
const formatShares = (shares: ClusterShares) =>
  shownStatuses
    .flatMap((status, kind) => (shares[kind] ? [`${formatCount(shares[kind])} ${statusLabels[status]}`] : []))
    .join(', ')

function Scale({ metersPerPx }: { metersPerPx: number }) {
  const { units = 'metric' } = useTenantConfig()
  const { text, widthPx } = chooseScale(metersPerPx, units)
  return (
    <p className={classes.scale} style={{ width: widthPx }} title="Scale">
      {text}
    </p>
  )
}

const openStreetMap = 'OpenStreetMap contributors'

/** The source of the map. The terms of OpenStreetMap require a link. */
function Attribution({ text }: { text: string }) {
  const [before, ...after] = text.split(openStreetMap)
  return (
    <p className={classes.attribution}>
      {before}
      {after.length > 0 && (
        <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">
          {openStreetMap}
        </a>
      )}
      {after.join(openStreetMap)}
    </p>
  )
}
