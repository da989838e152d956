import { Anchor, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { BrandLogo } from '../../brand/BrandLogo.tsx'
import { Copyright } from '../../brand/Copyright.tsx'
import { useBrandImage } from '../../brand/images.ts'
import { buildPhoneHref } from '../../brand/telephone.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { useThirdPartyScript } from '../../parts/widgets/third-party-script.ts'
import { ExternalLinkIcon, MailIcon, PhoneIcon } from '../../ui/icons.tsx'
import { Assistant } from './Assistant.tsx'
import classes from './SupportPage.module.css'

const vendorFaqUrl = 'https://starlink.com/support'

export function SupportPage() {
  const { support_phone, support_email, faq_url } = useTenantConfig()
  const background = useBrandImage('homepage1')
  return (
    <div className={classes.page}>
      <img src={background.src} onError={background.onError} alt="" className={classes.background} />
      <div className={classes.columns}>
        <section className={classes.card}>
          <BrandLogo className={classes.logo} />
          <Title order={1} className={classes.title}>
            Support
          </Title>
          <dl className={classes.ways}>
            {support_phone && (
              <Way icon={<PhoneIcon />} name="Phone">
                <Anchor href={buildPhoneHref(support_phone)}>{support_phone}</Anchor>
              </Way>
            )}
            {support_email && (
              <Way icon={<MailIcon />} name="Email">
                <Anchor href={`mailto:${support_email}`}>{support_email}</Anchor>
              </Way>
            )}
            <Way icon={<ExternalLinkIcon />} name="Questions and answers">
              <Anchor href={faq_url ?? vendorFaqUrl} target="_blank" rel="noopener">
                Starlink FAQ<span className="visually-hidden"> (opens in a new window)</span>
              </Anchor>
            </Way>
          </dl>
          <p className={classes.copyright}>
            <Copyright />
          </p>
        </section>
        <Chatbot />
      </div>
    </div>
  )
}

function Way({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className={classes.way}>
      <dt>
        {icon}
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The tenant's own chatbot if it has one, otherwise ours. */
function Chatbot() {
  const { chatbotEnabled, chatbot_script } = useTenantConfig()
  if (!chatbotEnabled) return null
  return chatbot_script ? <ForeignChatbot address={chatbot_script} /> : <Assistant />
}

function ForeignChatbot({ address }: { address: string }) {
  useThirdPartyScript('chatbot', address)
  return null
}
