/** Listens to scrolling of the page or of any element in it; those events do not bubble. */
export function onScroll(react: () => void) {
  window.addEventListener('scroll', react, { capture: true, passive: true })
  return () => window.removeEventListener('scroll', react, { capture: true })
}
