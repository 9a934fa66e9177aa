import { ColumnsIcon, DownloadIcon } from '../icons.ts'

/** The content of the column menu's button, and of its placeholder while the menu's code loads. */
export const columnsLabel = (
  <>
    <ColumnsIcon size={14} />
    <span>Columns</span>
  </>
)

/** The content of the export menu's button, and of its placeholder while the menu's code loads. */
export const exportLabel = (
  <>
    <DownloadIcon size={14} />
    <span className="max-md:sr-only">Export</span>
  </>
)
