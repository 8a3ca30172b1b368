import { useState } from 'react'
import { parseChallenge } from '#auth/challenge.ts'
import { stepUp } from '#auth/step-up.ts'
import { callApi } from '#data/client.ts'
import { showToast } from '#feedback/toasts.tsx'
import { logMessages } from '#messages/logs.ts'
import { BusyButton } from '#ui/busy-button.tsx'

/** After a step-up challenge, the user confirms and the export is requested again. */
export function ExportButton({ path, query }: { path: string; query: URLSearchParams }) {
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    if (!(await save(path, query).catch(() => false)))
      showToast({ message: logMessages.exportFailed, type: 'danger' })
    setBusy(false)
  }
  return (
    <BusyButton
      className="btn btn-secondary btn-sm"
      isBusy={isBusy}
      onClick={() => {
        if (!isBusy) void run()
      }}
    >
      {isBusy ? logMessages.exporting : logMessages.export}
    </BusyButton>
  )
}

async function save(path: string, query: URLSearchParams) {
  const params = new URLSearchParams(query)
  params.delete('before')
  const requestExport = () => callApi(`${path}/export?${params}`)
  let response = await requestExport()
  const needs = parseChallenge(response)
  // A cancelled confirmation is not an error.
  if (needs && !(await stepUp(needs))) return true
  if (needs) response = await requestExport()
  if (!response.ok) return false
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = `${path}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href))
  return true
}
