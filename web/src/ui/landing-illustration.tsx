import { illustrationMessages } from '#messages/illustration.ts'
/** Floor plans of a gatehouse: walls, floors, route. Colours are tokens. */

const TOWER =
  'M472 68a35 35 0 0 0 0 70H560V68ZM584 68H716V138H584ZM740 68H856V138H740ZM640 138H668V162H640ZM560 92H584V114H560ZM716 92H740V114H716Z'

const GATES = [
  [470, 200],
  [614, 200],
  [772, 200],
  [650, 103],
] as const

const { rooms } = illustrationMessages
const ROOMS = [
  [rooms.mail, 986, 44, 72],
  [rooms.files, 1160, 44, 72],
  [rooms.pipelines, 986, 256, 340],
  [rooms.backups, 1160, 256, 340],
] as const

const ENDS = [
  [1056, 104],
  [1056, 296],
  [1230, 104],
  [1230, 296],
] as const

/** The landing page's floor plan; its legend is text beside it. */
export const HeroIllustration = () => (
  <svg
    className="illustration hero-illustration"
    viewBox="0 0 1320 400"
    role="img"
    aria-labelledby="illustration-title illustration-desc"
  >
    <title id="illustration-title">{illustrationMessages.title}</title>
    <desc id="illustration-desc">{illustrationMessages.description}</desc>
    <Tower />
    <g transform="translate(0 400) scale(1 -1)">
      <Tower />
    </g>
    <path className="floor" d="M470 162H880V238H470Z" opacity=".55" />
    <path className="bars" d="M512 163V237M540 163V237M690 163V237M842 163V237M862 163V237" />
    <g className="hide-sm">
      <path className="route-off" d="M24 78H306a24 24 0 0 1 0 48H36" />
      <path className="hair" d="M44 119L35 126L44 133M44 267L35 274L44 281" />
      <text className="lbl-s" x="24" y="62">
        {illustrationMessages.refused}
      </text>
      <path className="route-off" d="M24 322H306a24 24 0 0 0 0-48H36" />
    </g>
    <path
      className="hair"
      strokeDasharray="3 4"
      d="M650 112L478 196M650 112L618 190M650 112L770 190"
    />
    {ROOMS.map(([name, x, y, label]) => (
      <g key={name}>
        <rect className="room" x={x} y={y} width="140" height="100" />
        <text className="lbl" x={x + 14} y={label}>
          {name}
        </text>
      </g>
    ))}
    <path
      className="doorway"
      d="M1043 140h26v8h-26zM1043 252h26v8h-26zM1217 140h26v8h-26zM1217 252h26v8h-26z"
    />
    <path
      className="route"
      d="M24 200H1206a24 24 0 0 0 24-24V104M1206 200a24 24 0 0 1 24 24V296M1032 200a24 24 0 0 0 24-24V104M1032 200a24 24 0 0 1 24 24V296"
    />
    {ENDS.map(([x, y]) => (
      <circle key={`${x} ${y}`} className="end" cx={x} cy={y} r="6" />
    ))}
    <circle className="end" cx="24" cy="200" r="5" />
    {GATES.map(([x, y], index) => (
      <g key={x}>
        <circle className="stop" cx={x} cy={y} r="14" />
        <text className="stop-n" x={x} y={y} dominantBaseline="central">
          {index + 1}
        </text>
      </g>
    ))}
    <text className="lbl" x="24" y="188">
      {illustrationMessages.outside}
    </text>
    <text className="lbl hide-sm" x="896" y="188">
      {illustrationMessages.inside}
    </text>
    <g className="walker">
      <circle className="end" r="4.5" />
    </g>
  </svg>
)

const Tower = () => (
  <>
    <path
      className="wall"
      fillRule="evenodd"
      d={`M880 44H470a59 59 0 0 0 0 118H880Z${TOWER}M720 0H752V44H720Z`}
    />
    <path className="floor" d={TOWER} />
    <path
      className="ground"
      d="M720 24H470A79 79 0 0 0 431.5 172M720 10H470A93 93 0 0 0 407.6 172M0 172H407.6"
    />
  </>
)

/** Project drawings by the name in the site configuration. */
export const PROJECT_ILLUSTRATIONS = {
  zones: () => (
    <svg className="illustration" viewBox="0 0 320 180" aria-hidden="true">
      <path className="wall" fillRule="evenodd" d="M10 10H310V170H10ZM20 20V160H300V20Z" />
      <path className="floor" d="M20 20H300V160H20Z" />
      <path
        className="wall"
        d="M108 20h8v36h-8zM108 84h8v76h-8zM116 90h92v8h-92zM234 90h66v8h-66zM204 20h8v24h-8zM204 72h8v18h-8zM204 98h8v12h-8zM204 138h8v22h-8zM20 104h60v8H20z"
      />
      <path className="floor" d="M8 58h14v28H8z" />
      <path className="route" d="M0 72H110C150 72 170 58 206 58S222 60 222 84 222 124 256 128" />
      <circle className="stop" cx="258" cy="128" r="7" />
    </svg>
  ),
  pipeline: () => (
    <svg className="illustration" viewBox="0 0 320 180" aria-hidden="true">
      <path className="wall" fillRule="evenodd" d="M30 44H290V136H30ZM40 54V126H280V54Z" />
      <path className="floor" d="M40 54H280V126H40Z" />
      <path
        className="wall"
        d="M96 54h8v22h-8zM96 104h8v22h-8zM156 54h8v22h-8zM156 104h8v22h-8zM216 54h8v22h-8zM216 104h8v22h-8z"
      />
      <path className="floor" d="M29 76h12v28H29zM279 76h12v28h-12z" />
      <path className="route" d="M4 90H316" />
      {[68, 130, 190, 250].map((x) => (
        <circle key={x} className="stop" cx={x} cy="90" r="7" />
      ))}
    </svg>
  ),
  restore: () => (
    <svg className="illustration" viewBox="0 0 320 180" aria-hidden="true">
      <path className="hair" strokeDasharray="4 5" d="M20 24H120V104H20ZM70 24V104" />
      <path className="wall" fillRule="evenodd" d="M196 20H304V108H196ZM206 30V98H294V30Z" />
      <path className="floor" d="M206 30H294V98H206Z" />
      <path className="wall" d="M246 30h8v24h-8zM246 76h8v22h-8z" />
      <path
        className="wall"
        fillRule="evenodd"
        d="M100 126a22 22 0 0 0 0 44H190V126ZM102 134H182V162H102a14 14 0 0 1 0-28Z"
      />
      <path
        className="floor"
        d="M102 134H182V162H102a14 14 0 0 1 0-28ZM181 140h10v16h-10zM258 97h20v12h-20z"
      />
      <path className="route" d="M140 148H236C262 148 268 130 268 100V82" />
      <circle className="stop" cx="140" cy="148" r="7" />
      <circle className="stop" cx="268" cy="76" r="7" />
    </svg>
  ),
}
