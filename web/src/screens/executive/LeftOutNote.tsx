import classes from './LeftOutNote.module.css'

const mostNamed = 100

/** Reports how many plans are not in the figures because their names do not begin with an organization. */
export function LeftOutNote({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const count = names.length === 1 ? 'One plan is' : `${names.length.toLocaleString('en-US')} plans are`
  return (
    <details className={classes.note}>
      <summary>{count} left out: a name must begin with the organization in capital letters and a dash.</summary>
      <ul className={classes.names}>
        {names.slice(0, mostNamed).map((name, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes in place
          <li key={place}>{name}</li>
        ))}
      </ul>
      {names.length > mostNamed && `and ${names.length - mostNamed} more`}
    </details>
  )
}
