import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { BrandLogo } from '../../brand/BrandLogo.tsx'
import { type BrandImage, useBrandImage, useHomeImages } from '../../brand/images.ts'
import { findMarketingUrl, useTenantConfig } from '../../brand/tenant.ts'
import { LazyBoundary } from '../../parts/LazyBoundary.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import classes from './HomePage.module.css'

// The host of a portal names its tenant, so few visitors see this page.
const StartPage = lazy(() => importWithRetry(() => import('./StartPage.tsx')).then((it) => ({ default: it.StartPage })))

export function HomePage() {
  const isPortal = useTenantConfig().tenant !== undefined
  if (isPortal) return <PortalHome />
  return (
    <LazyBoundary what="The page could not be loaded." fallback={null}>
      <StartPage />
    </LazyBoundary>
  )
}

function PortalHome() {
  const { sales_url, support_email } = useTenantConfig()
  const images = useHomeImages()
  const salesUrl = sales_url ?? findMarketingUrl() ?? (support_email && `mailto:${support_email}`)
  return (
    <div className={classes.page}>
      <div className={classes.collage} data-count={images.length}>
        {images.map((name) => (
          <Picture key={name} name={name} />
        ))}
      </div>
      <div className={classes.words}>
        <h1 className={classes.logo}>
          <BrandLogo />
        </h1>
        <div className={classes.buttons}>
          <Button component={Link} to="/dashboard" size="lg" className={classes.button}>
            Client Portal & Performance Dashboard
          </Button>
          {salesUrl && (
            <Button
              component="a"
              href={salesUrl}
              target="_blank"
              rel="noopener"
              size="lg"
              className={`${classes.button} ${classes.second}`}
            >
              Contact Sales
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function Picture({ name }: { name: BrandImage }) {
  const { src, onError } = useBrandImage(name)
  return <img src={src} onError={onError} alt="" className={classes.picture} />
}
