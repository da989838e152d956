import { Button, Paper, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { useSession } from '../../session.ts'
import classes from './ProfilePage.module.css'

/** Who is signed in. */
export function ProfilePage() {
  const session = useSession()
  useBrandTitle('Profile')
  if (session.state !== 'signed in') return null
  const { customerName, email, role } = session.person
  return (
    <Paper component="section" withBorder radius={12} p="lg" className={classes.card}>
      <Title order={1} mb="md">
        Profile
      </Title>
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd>{customerName || '-'}</dd>
        <dt>Email</dt>
        <dd>{email}</dd>
        <dt>Role</dt>
        <dd>{role}</dd>
      </dl>
      <Button component={Link} to="/logout" variant="default" mt="lg" h="var(--touch)">
        Log Out
      </Button>
    </Paper>
  )
}
