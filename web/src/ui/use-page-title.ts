import { useEffect } from 'react'

/** The name of the page first, so that tabs beside each other can be told apart. */
export function usePageTitle(page: string, site: string) {
  useEffect(() => {
    document.title = page === '' ? site : `${page} · ${site}`
  }, [page, site])
}
