import { Button } from '@mantine/core'
import { chooseDataSaver, type DataSaver } from '../../data-saver.ts'
import classes from './DataSaverNotice.module.css'

const reasons = {
  slow: 'Data saver is on, because your connection is slow.',
  browser: 'Data saver is on, because your browser asks to save data.',
}

/** Shows that data saver turned on automatically, and what it leaves out. */
export function DataSaverNotice({ saver }: { saver: DataSaver }) {
  if (!saver.isOn || saver.reason === 'chosen') return null
  return (
    <div className={classes.notice}>
      <p role="status">
        {reasons[saver.reason]} <span>Maps load when you ask for them, and charts have fewer points.</span>
      </p>
      <Button variant="default" size="compact-sm" mih="var(--touch)" onClick={() => chooseDataSaver(true)}>
        Keep On
      </Button>
      <Button variant="default" size="compact-sm" mih="var(--touch)" onClick={() => chooseDataSaver(false)}>
        Turn Off
      </Button>
    </div>
  )
}
