import { buildDashboard, DASHBOARD_FILE } from './dashboard.ts'
import { buildModelsPage, MODELS_PAGE } from './models-page.ts'
import {
  buildExampleFile,
  buildSettingsPage,
  EXAMPLE_FILE,
  SETTINGS_PAGE,
} from './settings-page.ts'
import { readRepository, type Sources } from './sources.ts'

/** Text of every generated file, by path. */
export const buildPages = async (sources: Sources) =>
  new Map([
    [MODELS_PAGE, await buildModelsPage(sources)],
    [SETTINGS_PAGE, await buildSettingsPage(sources)],
    [EXAMPLE_FILE, await buildExampleFile(sources)],
    [DASHBOARD_FILE, await buildDashboard()],
  ])

/** Paths of generated files that differ from what would be written, or are missing. */
export async function findStale(sources: Sources, stored = readRepository) {
  const pages = await buildPages(sources)
  return [...pages]
    .filter(([path, text]) => text !== storedText(stored, path))
    .map(([path]) => path)
}

function storedText(stored: typeof readRepository, path: string) {
  try {
    return stored(path)
  } catch {
    return null
  }
}
