import { type ListOrder, listOrders } from '#contract/list-order.ts'
import { SortIcon } from '../../ui/icons.tsx'
import classes from './OrderSelect.module.css'

const labels: Record<ListOrder, string> = { name: 'By name', worst: 'Worst first', latest: 'Latest change' }

interface OrderSelectProps {
  order: ListOrder
  onOrder: (order: ListOrder) => void
}

/** The order of the list; only an icon if the toolbar has no room for more. */
export function OrderSelect({ order, onOrder }: OrderSelectProps) {
  return (
    <span className={classes.order}>
      <SortIcon />
      <select
        aria-label="Order of the list"
        title="Order of the list"
        value={order}
        onChange={({ currentTarget }) => onOrder(currentTarget.value as ListOrder)}
      >
        {listOrders.map((each) => (
          <option key={each} value={each}>
            {labels[each]}
          </option>
        ))}
      </select>
    </span>
  )
}
