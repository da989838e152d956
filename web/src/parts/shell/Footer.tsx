import { Link } from '@tanstack/react-router'
import { Copyright } from '../../brand/Copyright.tsx'
import { buildPhoneHref } from '../../brand/telephone.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { MailIcon, PhoneIcon } from '../../ui/icons.tsx'
import classes from './Shell.module.css'

export function Footer() {
  const { support_phone, support_email } = useTenantConfig()
  return (
    <footer className={classes.footer}>
      <strong>{support_phone || support_email ? 'Contact Support' : <Link to="/support">Contact Support</Link>}</strong>
      {support_phone && (
        <a href={buildPhoneHref(support_phone)}>
          <PhoneIcon />
          {support_phone}
        </a>
      )}
      {support_email && (
        <a href={`mailto:${support_email}`}>
          <MailIcon />
          {support_email}
        </a>
      )}
      <span className={classes.copyright}>
        <Copyright />
      </span>
    </footer>
  )
}
