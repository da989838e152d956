import { useEffect, useState } from 'react'
import type { MapView } from './map-view.ts'
import { TileLayer } from './tile-layer.ts'

type Ground = 'waiting' | 'tiles' | 'outlines'

const tileTimeoutMs = 3000

/** Lays tiles over the outlines; answers what people see, and has the outlines drawn finely when no tile comes. */
export function useTiles(view: MapView | undefined, template: string | undefined): Ground {
  const [answer, setAnswer] = useState<{ template: string; ground: Ground }>()
  const ground = template === undefined ? 'outlines' : answer?.template === template ? answer.ground : 'waiting'
  useEffect(() => {
    if (!view || !template) return undefined
    const missing = () => setAnswer((last) => (last?.template === template ? last : { template, ground: 'outlines' }))
    const timer = setTimeout(missing, tileTimeoutMs)
    const layer = new TileLayer(template, (came) => (came ? setAnswer({ template, ground: 'tiles' }) : missing()))
    view.olMap.getLayers().insertAt(1, layer)
    return () => {
      clearTimeout(timer)
      view.olMap.removeLayer(layer)
      layer.dispose()
      setAnswer(undefined)
    }
  }, [view, template])
  useEffect(() => view?.setCovered(ground !== 'outlines'), [view, ground])
  return ground
}
