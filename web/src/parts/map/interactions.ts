import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import DragPan from 'ol/interaction/DragPan.js'
import KeyboardPan from 'ol/interaction/KeyboardPan.js'
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import PinchZoom from 'ol/interaction/PinchZoom.js'
import Kinetic from 'ol/Kinetic.js'

/** Moves the map by mouse, wheel, touch and keyboard. It does not rotate. */
export const mapInteractions = () => [
  new DoubleClickZoom(),
  // OpenLayers' defaults: decay, minimum velocity in pixels per ms, delay in ms.
  new DragPan({ kinetic: new Kinetic(-0.005, 0.05, 100) }),
  new PinchZoom(),
  new KeyboardPan(),
  new KeyboardZoom(),
  new MouseWheelZoom(),
]
