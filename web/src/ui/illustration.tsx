export const WallWithoutGate = () => (
  <svg className="illustration" viewBox="0 0 560 320" aria-hidden="true">
    <path
      className="ground"
      d="M0 132H300M0 188H300M0 96C120 96 220 60 250 0M0 224C120 224 220 260 250 320M0 66C90 66 170 44 200 0M0 254C90 254 170 276 200 320"
    />
    <path className="wall" d="M300 0H344V320H300Z" />
    <path className="floor" d="M344 0H560V320H344Z" opacity=".6" />
    <path className="room" d="M420 46H520V124H420ZM420 206H520V270H420Z" />
    <path className="route" d="M10 160H262" />
    <circle className="halt" cx="274" cy="160" r="9" />
  </svg>
)

export const BrokenWall = () => (
  <svg className="illustration" viewBox="0 0 560 320" aria-hidden="true">
    <path className="floor" d="M0 122H560V198H0Z" opacity=".6" />
    <path className="wall" d="M0 78H220V122H0ZM340 78H560V122H340ZM0 198H560V242H0Z" />
    <path
      className="wall"
      d="M238 86l34 8-9 40-34-8zM286 128l30-12 14 34-30 12zM262 152l20 6-6 22-20-6z"
    />
    <path className="hair" strokeDasharray="4 5" d="M220 78H340M220 122H340" />
    <path className="route" d="M10 160H206" />
    <path className="route-off" d="M360 160H550" />
    <circle className="halt" cx="218" cy="160" r="9" />
  </svg>
)
