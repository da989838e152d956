/** The parts of the profile, in their order on the page. */
export const profileSections = [
  { id: 'account', title: 'Account' },
  { id: 'security', title: 'Security' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'appearance', title: 'Appearance' },
] as const

export type ProfileSectionId = (typeof profileSections)[number]['id']

interface Place {
  id: ProfileSectionId
  topPx: number
}

/**
 * The current section: the last one that begins above the reading line. At the end of the page it is the last one,
 * because a short section never reaches the line.
 */
export const findReadSection = (
  places: readonly Place[],
  linePx: number,
  isAtEnd: boolean,
): ProfileSectionId | undefined =>
  isAtEnd ? places.at(-1)?.id : (places.findLast(({ topPx }) => topPx <= linePx) ?? places[0])?.id
