import classes from './LoginPage.module.css'

export function FormMessage({ problem, notice }: { problem: string | undefined; notice?: string | undefined }) {
  return (
    <div className={classes.message}>
      <span role="alert" className={classes.problem}>
        {problem}
      </span>
      {!problem && (
        <span role="status" className={classes.notice}>
          {notice}
        </span>
      )}
    </div>
  )
}
