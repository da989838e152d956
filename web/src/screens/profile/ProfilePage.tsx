import { Alert, Button, NativeSelect, Skeleton, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Profile, profile } from '#contract/profile.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { sessionQuery, useSession } from '../../session.ts'
import { Failure } from '../../ui/Failure.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { notice } from '../../ui/notice.ts'
import { Card } from './Card.tsx'
import { EditForm } from './EditForm.tsx'
import { OwnData } from './OwnData.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import classes from './ProfilePage.module.css'
import { profileQuery, useProfileChange } from './profile.ts'
import { QuietHoursForm } from './QuietHoursForm.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { Rehearsal } from './Rehearsal.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { SessionList } from './SessionList.tsx'
import { SettingBox } from './SettingBox.tsx'
import { SmsSettings } from './SmsSettings.tsx'
import { TerminalChoice } from './TerminalChoice.tsx'
import { ThemeChoice } from './ThemeChoice.tsx'
import { TokenList } from './TokenList.tsx'

export function ProfilePage() {
  const session = useSession()
  const user = session.state === 'signed in' ? session.user : undefined
  // Until it is finished: the recovery codes are still on the page when the factor counts already.
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

/** All that is open to users who have to change their password. */
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
      <PasswordForm onReset={openAccount} />
    </div>
  )
}

/** All that is open to users of whom a second factor is required. */
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
      <SecondFactors onAdded={openAccount} />
    </div>
  )
}

function WholeProfile() {
  const known = useQuery(profileQuery)
  if (known.data) return <ProfileCards known={known.data} />
  if (known.isError)
    return (
      <Failure
        isPage
        what="Your profile could not be loaded."
        why={getErrorMessage(known.error)}
        onRetry={() => void known.refetch()}
      />
    )
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

function ProfileCards({ known }: { known: Profile }) {
  const session = useSession()
  const isAdmin = session.state === 'signed in' && session.user.role === 'admin'
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const saved = known.selectedTerminalList
  const selection = chosen ?? new Set(saved)
  const isSaved = selection.size === saved.length && saved.every((id) => selection.has(id))
  return (
    <div className={classes.page}>
      <Head />
      <EditForm known={known} />
      <PasswordForm />
      <Card title="Signing in">
        <SettingBox
          known={known}
          name="checkOtp"
          label="Always check OTP when log in"
          send={(part) => call(profile.checkOtp, part)}
        />
      </Card>
      <SecondFactors />
      {isAdmin && (
        <Card title="Editing log">
          <SettingBox
            known={known}
            name="auditMail"
            label="Daily mail with the end of the editing log"
            send={(part) => call(profile.auditMail, part)}
          />
          <p className={classes.quiet}>
            It shows whether somebody has changed the log. An altered log is reported anyway.
          </p>
        </Card>
      )}
      <ThemeChoice />
      <NotificationSettings known={known} />
      <div className={classes.column}>
        <SessionList />
        <TokenList />
        <RecentActivity />
        <OwnData />
      </div>
      <TerminalChoice choices={known.terminalList} chosen={selection} isSaved={isSaved} onChoose={setChosen} />
      <Rehearsal known={known} chosen={selection} />
    </div>
  )
}

function NotificationSettings({ known }: { known: Profile }) {
  return (
    <Card title="Notifications">
      <SettingBox
        known={known}
        name="enableNotification"
        label="Email notification of terminals' status changes"
        send={(part) => call(profile.enableNotification, part)}
      />
      {known.enableNotification && <DigestChoice known={known} />}
      <SmsSettings known={known} />
      <Title order={3} size="h5">
        Notify me about
      </Title>
      <SettingBox
        known={known}
        name="statusChangeNotification"
        label="Terminals' status change"
        send={(part) => call(profile.statusChange, part)}
      />
      <SettingBox
        known={known}
        name="dataUsageNotification"
        label="Terminals' data usage"
        send={(part) => call(profile.dataUsage, part)}
      />
      <SettingBox
        known={known}
        name="warningNotification"
        label="Early warnings, before a terminal fails"
        send={(part) => call(profile.warnings, part)}
      />
      {known.enableSmsNotification && <QuietHoursForm known={pickQuietHours(known)} />}
    </Card>
  )
}

const pickQuietHours = ({ quietFrom, quietUntil, timeZone, smsDailyLimit }: Profile) => ({
  quietFrom,
  quietUntil,
  timeZone,
  smsDailyLimit,
})

const digestNames: Record<Profile['mailDigest'], string> = {
  'at once': 'As it happens',
  hourly: 'Together, every hour',
  daily: 'Together, every day at 8:00',
}

/** How often mails are sent. Mails about the security of the account always are at once. */
function DigestChoice({ known }: { known: Profile }) {
  const change = useProfileChange((part: Pick<Profile, 'mailDigest'>) => call(profile.setMailDigest, part))
  return (
    <NativeSelect
      label="Send email notifications"
      maw={320}
      value={known.mailDigest}
      disabled={change.isPending}
      onChange={(event) => change.mutate({ mailDigest: event.currentTarget.value as Profile['mailDigest'] })}
      data={Object.entries(digestNames).map(([value, label]) => ({ value, label }))}
    />
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
