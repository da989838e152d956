import { queryOptions, useQuery } from '@tanstack/react-query'
import { demo } from '#contract/demo.ts'
import { ApiError } from '#contract/errors.ts'
import { formatPercent } from '#contract/format/numbers.ts'
import { call } from '../../api.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { DemoTenants } from './DemoTenants.tsx'
import classes from './StartPage.module.css'

const REFRESH_MS = 15_000

/** Null if there is no demo to choose from: the server is not a demo, or runs on another machine. */
const directoryQuery = queryOptions({
  queryKey: ['demo directory'],
  queryFn: ({ signal }) =>
    call(demo.directory, {}, signal).catch((error) => {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }),
  refetchInterval: ({ state }) => (state.data ? REFRESH_MS : false),
})

/** The home page of a host that names no portal. */
export function StartPage() {
  const { data, error, refetch } = useQuery(directoryQuery)
  if (error) return <QueryFailure isPage what="This page could not be loaded." query={{ error, refetch }} />
  if (data === undefined) return null
  if (data === null) return <NoPortal />
  return (
    <div className={classes.page}>
      <div className={classes.scene}>
        <div className={classes.words}>
          <h1 className={classes.title}>Welcome to the demo</h1>
          <p>
            Three resellers with a simulated fleet that is alive. Choose whom you want to be: one click signs you in.
          </p>
        </div>
      </div>
      <div className={classes.body}>
        <DemoTenants tenants={data.tenants} />
        {data.historyShare < 1 && (
          <p className={classes.more}>
            60 days of history are being written for the charts: {formatPercent(data.historyShare * 100, 1)} so far.
          </p>
        )}
        <p className={classes.more}>
          <span>
            Mail and text messages are not sent: read them in the <a href="/outbox">outbox</a>.
          </span>
          <a href="/api/docs">API documentation</a>
        </p>
      </div>
    </div>
  )
}

function NoPortal() {
  return (
    <MessagePage
      title="Every portal has its own address"
      text="Please open the address that your provider gave you. It is in the mail with your password. If you do not have it, ask your provider’s support."
    >
      <p className={classes.hint}>
        On this machine, a portal also opens by its name: <code>{`${location.origin}/?tenant=NAME`}</code>
      </p>
    </MessagePage>
  )
}
