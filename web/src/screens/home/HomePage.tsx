import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BrandLogo } from '../../brand/BrandLogo.tsx'
import { type BrandImage, useBrandImage, useHomeImages } from '../../brand/images.ts'
import { findMarketingUrl, useTenantConfig } from '../../brand/tenant.ts'
import classes from './HomePage.module.css'

export function HomePage() {
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
