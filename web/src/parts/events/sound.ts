const TONES_HZ = [660, 880]
const TONE_S = 0.16
const VOLUME = 0.12

let context: AudioContext | undefined

/** Two short tones. Browsers allow sound only after the user has interacted with the page. */
export function playSound() {
  context ??= new AudioContext()
  void context.resume()
  const volume = context.createGain()
  volume.gain.value = VOLUME
  volume.connect(context.destination)
  for (const [index, frequency] of TONES_HZ.entries()) {
    const tone = context.createOscillator()
    tone.frequency.value = frequency
    tone.connect(volume)
    tone.start(context.currentTime + index * TONE_S)
    tone.stop(context.currentTime + (index + 1) * TONE_S)
    if (index === TONES_HZ.length - 1) tone.onended = () => volume.disconnect()
  }
}
