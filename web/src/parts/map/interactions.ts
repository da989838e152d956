import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import DragPan from 'ol/interaction/DragPan.js'
import KeyboardPan from 'ol/interaction/KeyboardPan.js'
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import PinchZoom from 'ol/interaction/PinchZoom.js'
import Kinetic from 'ol/Kinetic.js'

/** How a map is moved: by mouse, wheel, fingers and keys. It never turns. */
export const mapInteractions = () => [
  new DoubleClickZoom(),
  // The library's own values: how fast a throw slows down, and from which speed in pixels per ms it is one.
  new DragPan({ kinetic: new Kinetic(-0.005, 0.05, 100) }),
  new PinchZoom(),
  new KeyboardPan(),
  new KeyboardZoom(),
  new MouseWheelZoom(),
]
