import { DownloadIcon } from '../../ui/icons.tsx'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useMenu } from '../../ui/use-menu.ts'
import { saveCsv } from '../csv/save-csv.ts'
import classes from './ChartMenu.module.css'
import type { ChartData } from './chart-data.ts'
import { buildCsvColumns, type ChartSubject, describePicture, drawPicture, listRows, nameFile } from './export-chart.ts'
import type { ChartMeasure } from './measures.ts'
import type { PlotData, SignalPlot } from './signal-plot.ts'

interface ChartMenuProps {
  data: ChartData
  plotData: PlotData
  measure: ChartMeasure
  subject: ChartSubject
  findPlot: () => SignalPlot | null
}

/** Saves one chart as a picture or as a table. */
export function ChartMenu({ data, plotData, measure, subject, findPlot }: ChartMenuProps) {
  const { opened, close, around, button, menu } = useMenu()
  const savePicture = async () => {
    close()
    const canvas = findPlot()?.canvas
    if (!canvas) return
    const style = getComputedStyle(canvas)
    const read = (name: string) => style.getPropertyValue(name).trim()
    try {
      const picture = await drawPicture(canvas, {
        ...describePicture(data, measure, subject),
        colors: { text: style.color, quiet: read('--quiet'), ground: read('--surface') },
        // Charts have the font of their library.
        fontFamily: getComputedStyle(document.body).fontFamily,
      })
      saveFile(picture, nameFile(subject, measure, 'png'))
    } catch (error) {
      console.warn(error)
      notice.error('The picture could not be made.')
    }
  }
  const saveTable = () => {
    close()
    saveCsv(buildCsvColumns(data, plotData, measure), listRows(data), nameFile(subject, measure, 'csv'))
  }
  return (
    <div className={classes.around} {...around}>
      <button type="button" className={classes.button} aria-label={`Save ${measure.label}`} {...button}>
        <DownloadIcon />
      </button>
      {opened && (
        <div role="menu" className={classes.menu} aria-label={`Save ${measure.label}`} {...menu}>
          <button type="button" role="menuitem" tabIndex={-1} onClick={() => void savePicture()}>
            Picture (PNG)
          </button>
          <button type="button" role="menuitem" tabIndex={-1} onClick={saveTable}>
            Table (CSV)
          </button>
        </div>
      )}
    </div>
  )
}
