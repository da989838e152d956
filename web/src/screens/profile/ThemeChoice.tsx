import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { Card } from './Card.tsx'

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the device' },
]

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Card title="Colors">
      <SegmentedControl
        aria-label="Colors"
        data={schemes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
      />
    </Card>
  )
}
