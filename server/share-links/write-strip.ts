import {
  describeStrip,
  drawStrip,
  type KindSpan,
  measureKinds,
  STRIP_HEIGHT,
  STRIP_WIDTH,
} from '#contract/availability-strip.ts'

/** When a terminal was up and down, drawn as in the app, as HTML. */
export const writeStrip = (spans: readonly KindSpan[], within: { fromMs: number; toMs: number }) => {
  const paths = drawStrip(spans, within)
  const kinds = (['not observed', 'up', 'planned', 'down'] as const).filter((kind) => paths[kind] !== '')
  const drawn = kinds.map((kind) => `<path class="${kind.replace(' ', '-')}" d="${paths[kind]}"/>`)
  return `<svg class="strip" viewBox="0 0 ${STRIP_WIDTH} ${STRIP_HEIGHT}" preserveAspectRatio="none" role="img"><title>${describeStrip(measureKinds(spans, within))}</title>${drawn.join('')}</svg>`
}

export const STRIP_STYLE = `
.strip { display: block; width: 100%; height: 16px; margin: 8px 0 }
.strip .up { fill: var(--up) } .strip .down { fill: var(--down) } .strip .planned { fill: var(--accent) } .strip .not-observed { fill: var(--quiet); opacity: 0.5 }`
