import { useEffect, useState } from 'react'
import { onScroll } from '../../ui/on-scroll.ts'
import classes from './SectionNav.module.css'
import { findReadSection, type ProfileSectionId, profileSections } from './sections.ts'

/** The reading line: under the navbar and, on a narrow screen, under these links. */
const linePx = 180

/**
 * Links to the sections of the page, with the current one marked: next to them, or above them on a narrow screen.
 */
export function SectionNav() {
  const [read, setRead] = useState<ProfileSectionId | undefined>(profileSections[0].id)
  useEffect(() => {
    const update = () => {
      const places = profileSections.flatMap(({ id }) => {
        const section = document.getElementById(id)
        return section ? [{ id, topPx: section.getBoundingClientRect().top }] : []
      })
      const { scrollTop, clientHeight, scrollHeight } = document.documentElement
      setRead(findReadSection(places, linePx, scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2))
    }
    // The URL may name a section that was not rendered yet when the page opened.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    return onScroll(update)
  }, [])
  return (
    <nav className={classes.nav} aria-label="Profile sections">
      <ul>
        {profileSections.map(({ id, title }) => (
          <li key={id}>
            {/* Not the router's link, which marks its page as current and does not move the focus. */}
            <a href={`#${id}`} className={classes.link} aria-current={id === read ? 'location' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
