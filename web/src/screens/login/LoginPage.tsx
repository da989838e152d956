import { Paper, Title } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Factor } from '#contract/identity.ts'
import { BrandLogo } from '../../brand/BrandLogo.tsx'
import { useSignInImage } from '../../brand/images.ts'
import { continueTo } from '../../continue-to.ts'
import { findMailRecipient } from '../../mail-link.ts'
import { MessageDialog } from '../../ui/dialogs.tsx'
import { ForgotForm } from './ForgotForm.tsx'
import classes from './LoginPage.module.css'
import { OtpForm } from './OtpForm.tsx'
import { SignInForm } from './SignInForm.tsx'
import { SignOn } from './SignOn.tsx'

type Mode = 'sign in' | 'code' | 'forgot'

const titles: Record<Mode, string> = {
  'sign in': 'SIGN IN',
  code: 'ENTER VERIFICATION CODE',
  forgot: 'FORGOT PASSWORD?',
}

export function LoginPage() {
  const started = useLocation({ select: ({ state }) => state.startedSignIn })
  const [mode, setMode] = useState<Mode>(started?.codeSentTo ? 'code' : 'sign in')
  const [email, setEmail] = useState(started?.codeSentTo ?? findMailRecipient(continueTo.find()) ?? '')
  const [factors, setFactors] = useState<readonly Factor[] | undefined>(started?.factors)
  const [notice, setNotice] = useState<string>()
  const [isNewUser, setNewUser] = useState(started?.isNewUser ?? false)
  const navigate = useNavigate()
  const background = useSignInImage()
  const enterMode = (next: Mode, address = email, message?: string) => {
    setMode(next)
    setEmail(address)
    setNotice(message)
  }
  return (
    <div className={classes.page}>
      <img src={background.src} onError={background.onError} alt="" className={classes.background} />
      <Paper className={classes.card} withBorder radius={12} p="lg">
        <BrandLogo className={classes.logo} />
        <Title order={1} className={classes.title}>
          {titles[mode]}
        </Title>
        {mode === 'sign in' && (
          <SignOn isPasswordShown={notice !== undefined}>
            <SignInForm
              email={email}
              notice={notice}
              onCodeNeeded={(address, offered) => {
                setFactors(offered)
                enterMode('code', address)
              }}
              onNewUser={() => setNewUser(true)}
              onForgot={(address) => enterMode('forgot', address)}
            />
          </SignOn>
        )}
        {mode === 'code' && (
          <OtpForm
            email={email}
            factors={factors}
            onNewUser={() => setNewUser(true)}
            onBack={() => enterMode('sign in')}
          />
        )}
        {mode === 'forgot' && (
          <ForgotForm
            email={email}
            onSent={(address) => enterMode('sign in', address, 'A new password has been sent to your email.')}
            onBack={() => enterMode('sign in')}
          />
        )}
      </Paper>
      <MessageDialog
        title="Welcome"
        text={isNewUser ? 'You should reset your password for security.' : undefined}
        onClose={() => void navigate({ to: '/profile' })}
      />
    </div>
  )
}
