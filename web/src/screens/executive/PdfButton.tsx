import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AccountGroup } from '#contract/account-groups.ts'
import { executive } from '#contract/executive.ts'
import { getErrorMessage, request } from '../../api.ts'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'

interface PdfButtonProps {
  month: string
  group: AccountGroup | undefined
  isFiltered: boolean
}

/** The file covers all plans of the account group, so it is not offered for a part of them. */
export function PdfButton({ month, group, isFiltered }: PdfButtonProps) {
  const download = useMutation({
    mutationFn: async () => (await request(executive.monthsPdf, { month, ...(group && { group }) })).blob(),
    onSuccess: (file) => saveFile(file, `executive-${month}.pdf`),
    onError: (error) => notice.error(`The PDF could not be made: ${getErrorMessage(error)}`),
  })
  return (
    <Button
      variant="default"
      disabled={isFiltered}
      title={isFiltered ? 'The PDF shows all plans. Clear the filters first.' : undefined}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      PDF
    </Button>
  )
}
