import { format } from 'prettier'
import { PANELS, type Panel } from './dashboard-panels.ts'

export const DASHBOARD_FILE = 'ops/dashboard.json'

/** Of Grafana 11; newer ones convert it. */
const SCHEMA_VERSION = 39
/** Of 24 columns. */
const PANEL_SIZE = { w: 12, h: 8 }
/** Grafana asks for the data source when the dashboard is imported. */
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' }

/** Grafana's dashboard. */
export const buildDashboard = () =>
  format(
    JSON.stringify({
      uid: 'gatehouse',
      title: 'Gatehouse',
      tags: ['gatehouse'],
      schemaVersion: SCHEMA_VERSION,
      refresh: '30s',
      time: { from: 'now-6h', to: 'now' },
      templating: {
        list: [
          { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        ],
      },
      panels: PANELS.map(toPanel),
    }),
    { parser: 'json', printWidth: 100 },
  )

const toPanel = ({ title, meaning, unit, queries }: Panel, index: number) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  description: meaning,
  datasource: DATA_SOURCE,
  gridPos: {
    ...PANEL_SIZE,
    x: (index % 2) * PANEL_SIZE.w,
    y: Math.floor(index / 2) * PANEL_SIZE.h,
  },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  targets: queries.map(({ query, legend }, target) => ({
    refId: String.fromCodePoint('A'.codePointAt(0)! + target),
    datasource: DATA_SOURCE,
    expr: query,
    legendFormat: legend,
  })),
})
