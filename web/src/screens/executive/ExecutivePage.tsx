import { Button, NativeSelect, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type AccountGroup, accountGroups } from '#contract/account-groups.ts'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { paginate } from '../../ui/paginate.ts'
import classes from './ExecutivePage.module.css'
import { type ExecutiveSearch, fromFirstPage, noFilter } from './executive-search.ts'
import { FilterBar } from './FilterBar.tsx'
import { MonthSection } from './MonthSection.tsx'
import { PlanCards } from './PlanCards.tsx'
import { PlanDetails } from './PlanDetails.tsx'
import { PlansSkeleton } from './PlansSkeleton.tsx'
import { choosePlans, type NamedPlan, plansQuery } from './plans.ts'
import { SummaryCard } from './SummaryCard.tsx'

const route = getRouteApi('/dev-dashboard')

const cardsPerPage = 24
const everyGroup = 'All'
const none: NamedPlan[] = []

export function ExecutivePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const plans = useQuery(plansQuery(search.group))

  const named = plans.data?.named ?? none
  const { q, org, customer, desc } = search
  const chosen = useMemo(
    () => choosePlans(named, { q: q ?? '', orgs: org ?? [], customers: customer ?? [], descending: desc === true }),
    [named, q, org, customer, desc],
  )
  const show = (change: Partial<ExecutiveSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const choose = (change: Partial<ExecutiveSearch>) => show(fromFirstPage(change))
  const cards = paginate(chosen, cardsPerPage, search.cards ?? 1)

  return (
    <div className={classes.page}>
      <AdminPlaces />
      <div className={classes.head}>
        <Title order={1}>Executive Dashboard</Title>
        <NativeSelect
          label="Account Group"
          data={[everyGroup, ...accountGroups]}
          value={search.group ?? everyGroup}
          onChange={({ currentTarget: { value } }) =>
            choose({ group: value === everyGroup ? undefined : (value as AccountGroup) })
          }
        />
      </div>
      <FilterBar plans={named} results={plans.data && chosen.length} search={search} onChange={choose} />
      {plans.isPending && <PlansSkeleton />}
      {plans.isError && !plans.data && (
        <QueryFailure
          what={
            search.group
              ? 'Couldn’t load that group. Please try another or retry.'
              : 'Failed to load summary. Please try again.'
          }
          query={plans}
        />
      )}
      {plans.data && (
        <>
          <SummaryCard plans={chosen} leftOut={plans.data.leftOut} search={search} onShow={show} onChoose={choose}>
            <MonthSection search={search} onShow={show} />
          </SummaryCard>
          {chosen.length === 0 ? (
            <section className={classes.empty} aria-label="Plans">
              <Text fw={600}>
                {named.length > 0
                  ? 'No plans match your filters'
                  : search.group
                    ? 'No plans in this group'
                    : 'No plans yet'}
              </Text>
              {named.length > 0 && (
                <Button variant="default" onClick={() => choose(noFilter)}>
                  Clear all
                </Button>
              )}
            </section>
          ) : (
            <PlanCards
              {...cards}
              onPage={(page) => show({ cards: page > 1 ? page : undefined })}
              onOpen={({ key }) => show({ plan: key })}
            />
          )}
          <PlanDetails plan={named.find(({ key }) => key === search.plan)} onClose={() => show({ plan: undefined })} />
        </>
      )}
    </div>
  )
}
