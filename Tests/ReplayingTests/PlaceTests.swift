import Replaying
import Testing
