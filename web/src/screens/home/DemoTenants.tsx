import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { DemoTenant, DemoUser } from '#contract/demo.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { StatusShape } from '../../parts/StatusMark.tsx'
import { NextIcon } from '../../ui/icons.tsx'
import classes from './StartPage.module.css'
import { useDemoSignIn } from './use-demo-sign-in.ts'

/** What the user sees after signing in. */
const describeView = ({ role, customer, terminals: count, signIn }: DemoUser) => {
  if (signIn === 'code') return 'Signs in with a mailed code; it is in the outbox'
  if (signIn === 'new password') return 'First sign-in: is asked to set a new password'
  // The inventory is loaded shortly after the start.
  const fleet = count === 0 ? 'Terminals' : formatCounted(count, 'terminal')
  return role === 'admin' ? `${fleet}, users, pools and the editing log` : `${fleet} of ${customer}`
}

export function DemoTenants({ tenants }: { tenants: DemoTenant[] }) {
  const { signIn, pending, problem } = useDemoSignIn()
  const [chosen, setChosen] = useState<string>()
  return (
    <div className={classes.tenants}>
      {tenants.map((tenant) => (
        <section key={tenant.id} className={classes.tenant} aria-labelledby={`demo-${tenant.id}`}>
          <header className={classes.head} style={{ borderTopColor: tenant.color }}>
            <h2 id={`demo-${tenant.id}`} className={classes.name}>
              {tenant.name}
            </h2>
            <FleetSummary tenant={tenant} />
          </header>
          <ul className={classes.users}>
            {tenant.users.map((user) => (
              <li key={user.email}>
                <UnstyledButton
                  className={classes.user}
                  disabled={pending}
                  data-pending={(pending && chosen === user.email) || undefined}
                  onClick={() => {
                    setChosen(user.email)
                    void signIn(tenant.id, user)
                  }}
                >
                  <span className={classes.initials} aria-hidden="true">
                    {user.name
                      .split(' ')
                      .map((part) => part[0])
                      .join('')}
                  </span>
                  <span className={classes.about}>
                    <span className={classes.person}>
                      {user.name}
                      <span className={classes.role}>{user.role === 'admin' ? 'Administrator' : 'Customer'}</span>
                    </span>
                    <span className={classes.view}>{describeView(user)}</span>
                  </span>
                  <NextIcon />
                </UnstyledButton>
                {problem && chosen === user.email && (
                  <Text role="alert" className={classes.problem}>
                    {problem}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** The inventory is loaded shortly after the start. */
function FleetSummary({ tenant: { terminals: count, offline } }: { tenant: DemoTenant }) {
  if (count === 0) return <p className={classes.fleet}>The fleet is being read</p>
  return (
    <p className={classes.fleet}>
      {formatCounted(count, 'terminal')}
      {offline > 0 && (
        <span className={classes.offline}>
          <StatusShape status="offline" />
          {formatCount(offline)} offline
        </span>
      )}
    </p>
  )
}
