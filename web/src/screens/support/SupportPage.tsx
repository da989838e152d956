import { Anchor, Paper, Stack, Text, Title } from '@mantine/core'
import { BrandLogo } from '../../brand/BrandLogo.tsx'
import { useBrandImage } from '../../brand/images.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import classes from './SupportPage.module.css'

export function SupportPage() {
  const { support_phone, support_email, company_name } = useTenantConfig()
  const background = useBrandImage('homepage1')
  useBrandTitle('Support')
  return (
    <div className={classes.page}>
      <img src={background.src} onError={background.onError} alt="" className={classes.background} />
      <Paper withBorder radius={12} p="lg" className={classes.card}>
        <BrandLogo className={classes.logo} />
        <Title order={1} size="18px" mb="md">
          Support
        </Title>
        <Stack gap="xs">
          {support_phone && (
            <Text>
              Phone: <Anchor href={`tel:${support_phone.replace(/[^\d+]/g, '')}`}>{support_phone}</Anchor>
            </Text>
          )}
          {support_email && (
            <Text>
              E-mail: <Anchor href={`mailto:${support_email}`}>{support_email}</Anchor>
            </Text>
          )}
          <Anchor href="https://starlink.com/support" target="_blank" rel="noopener">
            Starlink FAQ
          </Anchor>
          <Text size="xs" c="var(--quiet)" mt="md">
            © {new Date().getFullYear()} {company_name ?? 'Dishboard'}
          </Text>
        </Stack>
      </Paper>
    </div>
  )
}
