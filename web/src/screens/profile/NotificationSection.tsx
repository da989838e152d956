import { NativeSelect, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { type Profile, profile } from '#contract/profile.ts'
import { call } from '../../api.ts'
import { useIsAdmin } from '../../session.ts'
import { useFocusReturn } from '../../ui/focus-return.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { useProfileSetting } from './profile.ts'
import { QuietHoursForm } from './QuietHoursForm.tsx'
import { Rehearsal } from './Rehearsal.tsx'
import { Section } from './Section.tsx'
import { SettingBox } from './SettingBox.tsx'
import { SmsSettings } from './SmsSettings.tsx'
import { TerminalChoice } from './TerminalChoice.tsx'

/** The notification switches, next to a preview of what they would have sent. */
export function NotificationSection({ known }: { known: Profile }) {
  const isAdmin = useIsAdmin()
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const saved = known.selectedTerminalList
  const selection = chosen ?? new Set(saved)
  const isSaved = selection.size === saved.length && saved.every((id) => selection.has(id))
  return (
    <Section id="notifications">
      <div className={classes.column}>
        <NotificationSettings known={known} />
        {isAdmin && <AuditMail known={known} />}
      </div>
      <Rehearsal known={known} chosen={selection} />
      <TerminalChoice choices={known.terminalList} chosen={selection} isSaved={isSaved} onChoose={setChosen} />
    </Section>
  )
}

function AuditMail({ known }: { known: Profile }) {
  return (
    <Card title="Editing log">
      <SettingBox
        known={known}
        name="auditMail"
        label="Daily mail with the end of the editing log"
        send={(part) => call(profile.auditMail, part)}
      />
      <Text className={classes.quiet}>
        It shows whether somebody has changed the log. An altered log is reported anyway.
      </Text>
    </Card>
  )
}

function NotificationSettings({ known }: { known: Profile }) {
  return (
    <Card title="Email and SMS">
      <SettingBox
        known={known}
        name="enableNotification"
        label="Email notification of terminals' status changes"
        send={(part) => call(profile.enableNotification, part)}
      />
      {known.enableNotification && <DigestChoice known={known} />}
      <SmsSettings known={known} />
      <Title order={4} size="h5">
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

/** How often mails are sent. Mails about account security are always sent at once. */
function DigestChoice({ known }: { known: Profile }) {
  const { value, isSaving, set } = useProfileSetting(known, 'mailDigest', (part) => call(profile.setMailDigest, part))
  return (
    <NativeSelect
      ref={useFocusReturn<HTMLSelectElement>(isSaving)}
      label="Send email notifications"
      maw={320}
      value={value}
      disabled={isSaving}
      onChange={(event) => set(event.currentTarget.value as Profile['mailDigest'])}
      data={Object.entries(digestNames).map(([value, label]) => ({ value, label }))}
    />
  )
}
