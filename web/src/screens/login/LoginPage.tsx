import { Paper, Title } from '@mantine/core'
import { useState } from 'react'
import { BrandLogo } from '../../brand/BrandLogo.tsx'
import { useBrandImage } from '../../brand/images.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { ForgotForm } from './ForgotForm.tsx'
import classes from './LoginPage.module.css'
import { OtpForm } from './OtpForm.tsx'
import { SignInForm } from './SignInForm.tsx'

type Mode = { name: 'sign in'; notice?: string } | { name: 'code'; email: string } | { name: 'forgot' }

const titles: Record<Mode['name'], string> = {
  'sign in': 'SIGN IN',
  code: 'ENTER VERIFICATION CODE',
  forgot: 'FORGOT PASSWORD?',
}

export function LoginPage() {
  const [mode, setMode] = useState<Mode>({ name: 'sign in' })
  const background = useBrandImage('homepage2')
  useBrandTitle('Sign In')
  return (
    <div className={classes.page}>
      <img src={background.src} onError={background.onError} alt="" className={classes.background} />
      <Paper className={classes.card} withBorder radius={12} p="lg">
        <BrandLogo className={classes.logo} />
        <Title order={1} className={classes.title}>
          {titles[mode.name]}
        </Title>
        {mode.name === 'sign in' && (
          <SignInForm
            notice={mode.notice}
            onCodeNeeded={(email) => setMode({ name: 'code', email })}
            onForgot={() => setMode({ name: 'forgot' })}
          />
        )}
        {mode.name === 'code' && <OtpForm email={mode.email} onBack={() => setMode({ name: 'sign in' })} />}
        {mode.name === 'forgot' && (
          <ForgotForm
            onSent={() => setMode({ name: 'sign in', notice: 'A new password has been sent to your email.' })}
            onBack={() => setMode({ name: 'sign in' })}
          />
        )}
      </Paper>
    </div>
  )
}
