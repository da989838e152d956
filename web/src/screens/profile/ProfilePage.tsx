import { Alert, Button, Skeleton, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Profile, profile } from '#contract/profile.ts'
import { call } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { sessionQuery, useSession } from '../../session.ts'
import { MailIcon } from '../../ui/icons.tsx'
import { notice } from '../../ui/notice.ts'
import { Card } from './Card.tsx'
import { EditForm } from './EditForm.tsx'
import { NotificationSection } from './NotificationSection.tsx'
import { OwnData } from './OwnData.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import classes from './ProfilePage.module.css'
import { profileQuery } from './profile.ts'
import { RecentActivity } from './RecentActivity.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { Section } from './Section.tsx'
import { SectionNav } from './SectionNav.tsx'
import { SessionList } from './SessionList.tsx'
import { SettingBox } from './SettingBox.tsx'
import { ThemeChoice } from './ThemeChoice.tsx'
import { TokenList } from './TokenList.tsx'

export function ProfilePage() {
  const session = useSession()
  const user = session.state === 'signed in' ? session.user : undefined
  // Until the dialog is closed: the recovery codes are still shown when the factor is already active.
  const [isAddingFactor, setAddingFactor] = useState(false)
  if (user?.newUser) return <NewPassword />
  if (user?.mustAddFactor && !isAddingFactor) setAddingFactor(true)
  return user?.mustAddFactor || isAddingFactor ? (
    <FirstFactor onDone={() => setAddingFactor(false)} />
  ) : (
    <WholeProfile />
  )
}

function Head() {
  return (
    <div className={classes.head}>
      <Title order={1}>Profile</Title>
      <SupportButton />
    </div>
  )
}

/** All that users who must change their password can see. */
function NewPassword() {
  const queries = useQueryClient()
  const openAccount = (message: string) => {
    notice.success(message)
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <div className={classes.page}>
      <Head />
      <Alert className={classes.wide} color="blue" title="You should reset your password for security.">
        The rest of your account opens when you have chosen a password of your own.
      </Alert>
      <Section id="security">
        <PasswordForm onReset={openAccount} />
      </Section>
    </div>
  )
}

/** All that users who must add a second factor can see. */
function FirstFactor({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const openAccount = async () => {
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    onDone()
  }
  return (
    <div className={classes.page}>
      <Head />
      <Alert className={classes.wide} color="blue" title="Please add a second factor.">
        Your organization requires one. The rest of your account opens when you have added it.
      </Alert>
      <Section id="security">
        <SecondFactors onAdded={openAccount} />
      </Section>
    </div>
  )
}

function WholeProfile() {
  const known = useQuery(profileQuery)
  if (known.data) return <ProfileSections known={known.data} />
  if (known.isError) return <QueryFailure isPage what="Your profile could not be loaded." query={known} />
  return (
    <div className={classes.page} aria-busy="true">
      <Title order={1} className={classes.head}>
        Profile
      </Title>
      <Skeleton height={220} radius={12} />
      <Skeleton height={220} radius={12} />
      <Skeleton height={320} radius={12} />
    </div>
  )
}

function ProfileSections({ known }: { known: Profile }) {
  return (
    <div className={classes.page} data-sections>
      <Head />
      <SectionNav />
      <div className={classes.sections}>
        <Section id="account">
          <EditForm known={known} />
          <OwnData />
        </Section>
        <Section id="security">
          <PasswordForm />
          <div className={classes.column}>
            <Card title="Signing in">
              <SettingBox
                known={known}
                name="checkOtp"
                label="Always check OTP when log in"
                send={(part) => call(profile.checkOtp, part)}
              />
            </Card>
            <SecondFactors />
          </div>
          <div className={classes.column}>
            <SessionList />
            <TokenList />
          </div>
          <RecentActivity />
        </Section>
        <NotificationSection known={known} />
        <Section id="appearance">
          <ThemeChoice />
        </Section>
      </div>
    </div>
  )
}

function SupportButton() {
  const { support_email } = useTenantConfig()
  if (!support_email) return null
  return (
    <Button
      component="a"
      href={`mailto:${support_email}`}
      variant="default"
      h="var(--touch)"
      leftSection={<MailIcon />}
    >
      Email Support for Assistance
    </Button>
  )
}
