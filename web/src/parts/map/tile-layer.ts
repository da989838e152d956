import TileLayer from 'ol/layer/Tile.js'
import type OlMap from 'ol/Map.js'
import XYZ from 'ol/source/XYZ.js'

/** Lays raster tiles over the outlines; where a tile does not come, the outlines show. */
export function layTiles(map: OlMap, url: string) {
  const layer = new TileLayer({ source: new XYZ({ url, crossOrigin: 'anonymous' }) })
  map.getLayers().insertAt(1, layer)
  return () => {
    map.removeLayer(layer)
    layer.dispose()
  }
}
