/** A dish by a cabin, a vessel in fog, a closed gate, a vessel in high waves, a dish under snow. */
export type SceneName = 'dish' | 'vessel' | 'gate' | 'waves' | 'snow'

/**
 * A small decorative drawing of the North above a message. It uses the colors of the theme, so it follows light,
 * dark and the tenant's accent.
 */
export function Scene({ name }: { name: SceneName }) {
  return (
    <svg width="320" height="150" style={{ maxWidth: '100%' }} aria-hidden="true">
      <use href={`/brand/scenes.svg#${name}`} />
    </svg>
  )
}
