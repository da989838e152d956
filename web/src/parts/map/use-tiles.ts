import { useEffect, useState } from 'react'
import type { MapView } from './map-view.ts'
import { TileLayer } from './tile-layer.ts'

type Ground = 'waiting' | 'tiles' | 'outlines'

const tileTimeoutMs = 3000

/**
 * Adds tiles over the outlines. Returns what is visible, and falls back to the fine outlines if no tile
 * loads.
 */
export function useTiles(view: MapView | undefined, template: string | undefined): Ground {
  const [result, setResult] = useState<{ template: string; ground: Ground }>()
  const ground = template === undefined ? 'outlines' : result?.template === template ? result.ground : 'waiting'
  useEffect(() => {
    if (!view || !template) return undefined
    const missing = () => setResult((last) => (last?.template === template ? last : { template, ground: 'outlines' }))
    const timer = setTimeout(missing, tileTimeoutMs)
    const layer = new TileLayer(template, (isLoaded) =>
      isLoaded ? setResult({ template, ground: 'tiles' }) : missing(),
    )
    view.olMap.getLayers().insertAt(1, layer)
    return () => {
      clearTimeout(timer)
      view.olMap.removeLayer(layer)
      layer.dispose()
      setResult(undefined)
    }
  }, [view, template])
  useEffect(() => view?.setCovered(ground !== 'outlines'), [view, ground])
  return ground
}
