import { type AnyRoute, type AnyRouter, useMatches } from '@tanstack/react-router'
import type { FeatureItem } from '#contract/features.ts'

/** What each route declares about its page, next to its path and screen. Navbar, titles, guards and offers follow from it. */
export interface PageInfo {
  /** Before the name of the site in the title of the browser's tab. */
  title: string
  /** Who may open it. The server decides on its own what it returns to whom. */
  access: 'public' | 'user' | 'admin'
  /** Where new users are sent from all other pages for users, to change their password. */
  isForNewUsers?: true
  /** Where other users are sent from an admin page. */
  deniedTo?: '/forbidden' | '/'
  /** Shown in the navbar under this name; an admin page to admins only. */
  navLabel?: string
  /** Shown in the navbar only to those who hold this permission. */
  navPermission?: FeatureItem
  /** It can show the past. */
  showsPast?: true
  /** Its name in "Continue to …"; otherwise that of the navbar, or the title. */
  continueLabel?: (params: Record<string, string>) => string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends PageInfo {}
}

/** The page that is shown. For an unknown address this is the root's, which declares the not-found page. */
export const usePage = (): PageInfo =>
  useMatches({
    // The router matches the known start of an unknown address too, and marks the route that shows the not-found page.
    select: (matches) => (matches.find(({ _notFound }) => _notFound) ?? matches.at(-1))?.staticData as PageInfo,
  })

export interface NavEntry {
  path: string
  label: string
  access: PageInfo['access']
  permission: FeatureItem | undefined
}

/** Pages of the navbar in the order of the route table. */
export const listNavEntries = ({ routeTree }: Pick<AnyRouter, 'routeTree'>): NavEntry[] =>
  (routeTree.children as AnyRoute[]).flatMap(({ fullPath, options }) => {
    const { navLabel, navPermission, access } = options.staticData as PageInfo
    return navLabel === undefined ? [] : [{ path: fullPath, label: navLabel, access, permission: navPermission }]
  })

/** Every page that can be opened by its name alone, by those who may. */
export const listPages = ({ routeTree }: Pick<AnyRouter, 'routeTree'>) =>
  (routeTree.children as AnyRoute[]).flatMap(({ fullPath, options }) => {
    const { navLabel, navPermission, access, title } = options.staticData as PageInfo
    if (fullPath.includes('$') || (access === 'public' && navLabel === undefined)) return []
    return [{ path: fullPath, label: title || (navLabel as string), access, permission: navPermission }]
  })

/** 'Plan Manager', 'terminal Nome School', or the path itself where there is no such page. */
export function getPageName({ getMatchedRoutes }: Pick<AnyRouter, 'getMatchedRoutes'>, href: string): string {
  const path = href.split(/[?#]/, 1)[0] as string
  const [, params, route] = getMatchedRoutes(path)
  // What is left of an address that matches only in part.
  if (!route || '**' in params) return path
  const { continueLabel, navLabel, title } = route.options.staticData as PageInfo
  return continueLabel?.(params) ?? navLabel ?? title
}
