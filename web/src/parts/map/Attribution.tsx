import classes from './TerminalMap.module.css'

const openStreetMap = 'OpenStreetMap contributors'

/** The source of the map. The terms of OpenStreetMap require a link. */
export function Attribution({ text }: { text: string }) {
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
